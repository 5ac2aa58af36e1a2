/**
 * The database's clock in unix seconds, rounded down (a bare cast would round up and see the future). As a scalar
 * subquery it is asked once per statement and can bound an index scan; clock_timestamp() itself is volatile and cannot.
 */
export const SQL_NOW = `(SELECT floor(extract(epoch FROM clock_timestamp()))::bigint)`;
