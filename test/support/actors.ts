import { type Client, createClient } from '@wrp/client';
import type { World } from './given.ts';

/** A caller: the published client with a token, and plain fetch for requests that the client cannot send. */
export interface Actor extends Client {
  token: string | undefined;
  /** Sends a request as it is; default Authorization: the actor's. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
}

export interface Actors {
  /** Owner of the organization. */
  owner: Actor;
  /** Admin of the organization. */
  admin: Actor;
  /** Holds what the Viewer role of the first workspace grants, nothing else. */
  member: Actor;
  /** Belongs to no workspace. */
  outsider: Actor;
  /** Owner of another organization. */
  stranger: Actor;
  /** No credentials at all. */
  anonymous: Actor;
  /** Another caller, by a token. */
  actor(token: string | undefined): Actor;
}

export function createActors(baseUrl: string, world: World): Actors {
  const actor = (token: string | undefined) => createActor(baseUrl, token);
  return {
    owner: actor(world.owner.token),
    admin: actor(world.admin.token),
    member: actor(world.member.token),
    outsider: actor(world.outsider.token),
    stranger: actor(world.stranger.token),
    anonymous: actor(undefined),
    actor,
  };
}

function createActor(baseUrl: string, token: string | undefined): Actor {
  // Without retries, so that tests see refusals.
  const client = createClient({ baseUrl, retries: 0, ...(token !== undefined && { token }) });
  const send = (path: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    if (token !== undefined && !headers.has('Authorization')) headers.set('Authorization', token);
    return fetch(`${baseUrl}${path}`, { ...init, headers });
  };
  return Object.assign(client, { token, fetch: send });
}
