import type { Actor } from '../../src/auth/actor.js';

/** Who does things in tests that need no door. */
export const ADMIN: Actor = { id: '1', name: 'admin', role: 'operator' };
export const EVE: Actor = { id: '2', name: 'eve', role: 'editor' };
export const ADAM: Actor = { id: '3', name: 'adam', role: 'editor' };
