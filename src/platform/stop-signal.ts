/** A second signal this soon is the same one: a terminal's Ctrl-C reaches parent and child, and the parent passes it on. */
const ECHO_MS = 500;

export interface StopSignal {
  /** Aborted by the first SIGTERM or SIGINT. */
  signal: AbortSignal;
  received: Promise<void>;
}

/** The first signal asks the process to stop, a later one ends it at once. */
export function onStopSignal(): StopSignal {
  const controller = new AbortController();
  let since = 0;
  const received = new Promise<void>((resolve) => {
    const handle = (): void => {
      if (since === 0) {
        since = performance.now();
        controller.abort();
        resolve();
      } else if (performance.now() - since > ECHO_MS) {
        process.stderr.write('Stopped at once by a second signal\n');
        process.exit(1);
      }
    };
    process.on('SIGTERM', handle);
    process.on('SIGINT', handle);
  });
  return { signal: controller.signal, received };
}
