/** What somebody may do. Each role may do what the ones before it may. */
export const ACTOR_ROLES = ['viewer', 'editor', 'operator'] as const;
export type ActorRole = (typeof ACTOR_ROLES)[number];

/** Who is asking. */
export interface Actor {
  /** The user's; '0' for the command line, and for the preset token while there is no user. */
  id: string;
  name: string;
  role: ActorRole;
}

/** Whoever may run commands on the machine may do everything. */
export const COMMAND_LINE: Actor = { id: '0', name: 'command line', role: 'operator' };

export function mayActAs(actor: Actor, role: ActorRole): boolean {
  return ACTOR_ROLES.indexOf(actor.role) >= ACTOR_ROLES.indexOf(role);
}
