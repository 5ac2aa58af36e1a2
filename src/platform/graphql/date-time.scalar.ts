import { GraphQLScalarType } from 'graphql';

/**
 * Times as ISO 8601 in UTC. Rows keep unix seconds, so those are understood as well as Dates and no resolver needs to
 * convert. 0 means "none" in a row and must be turned into null by the field that may be empty.
 */
export const DateTime = new GraphQLScalarType<Date, string>({
  name: 'DateTime',
  description: 'A moment, ISO 8601 in UTC: 2026-11-30T08:00:00.000Z',
  serialize: (value) => {
    if (value instanceof Date) return value.toISOString();
    if (typeof value === 'number') return new Date(value * 1000).toISOString();
    throw new TypeError('A time must be a Date or unix seconds');
  },
  parseValue: (value) => {
    const moment = typeof value === 'string' ? new Date(value) : undefined;
    if (moment === undefined || Number.isNaN(moment.getTime())) {
      throw new TypeError('A time must be written as ISO 8601, such as 2026-11-30T08:00:00Z');
    }
    return moment;
  },
});
