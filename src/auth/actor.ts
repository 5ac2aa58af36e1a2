/** What somebody may do. Each role may do what the ones before it may. */
export const ACTOR_ROLES = ['viewer', 'editor', 'operator'] as const;
export type ActorRole = (typeof ACTOR_ROLES)[number];

/** Who is asking. */
export interface Actor {
  name: string;
  role: ActorRole;
}

export function mayActAs(actor: Actor, role: ActorRole): boolean {
  return ACTOR_ROLES.indexOf(actor.role) >= ACTOR_ROLES.indexOf(role);
}
