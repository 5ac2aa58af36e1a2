import DataLoader from 'dataloader';
import type { FastifyRequest } from 'fastify';

/**
 * What the resolvers of one request share: the request, and its loaders, so that one level of a query is one statement
 * however many parents it has. Loaders live and die with the request: nothing is served that another request saw.
 */
export class GraphqlContext {
  private readonly loaders = new Map<string, DataLoader<string, unknown>>();

  constructor(readonly req: FastifyRequest) {}

  /**
   * The request's loader of that name, made on first use.
   * @param name must tell apart what is loaded differently: put the arguments into it
   * @param batch gets different keys and answers a map; what the map lacks is loaded as undefined
   */
  loader<V>(
    name: string,
    batch: (keys: readonly string[]) => Promise<ReadonlyMap<string, V>>,
  ): DataLoader<string, V | undefined> {
    const found = this.loaders.get(name);
    if (found !== undefined) return found as DataLoader<string, V | undefined>;
    const made = new DataLoader<string, V | undefined>(async (keys) => {
      const values = await batch(keys);
      return keys.map((key) => values.get(key));
    });
    this.loaders.set(name, made);
    return made;
  }
}
