import type { Environment } from './settings-reader.js';

/** The one place that reads the process's environment. */
export function environment(): Environment {
  return process.env;
}
