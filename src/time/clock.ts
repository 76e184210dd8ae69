/** Milliseconds on the harness's monotonic clock; its zero is the start of the process. */
export const now = (): number => performance.now();

/** The wall-clock time (milliseconds since 1970) at which the monotonic clock of this process was 0. */
export const clockOrigin = (): number => performance.timeOrigin;
