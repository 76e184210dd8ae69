/** One line of uvicorn's access log: written when the response begins, so a stream has its line at its first byte. */
export interface AccessLine {
  mark: 'access';
  client: string;
  port: number;
  method: string;
  path: string;
  status: number;
}

// uvicorn colours its lines on a terminal.
// eslint-disable-next-line no-control-regex -- ANSI colours begin with ESC
const colours = /\x1b\[[0-9;]*m/g;

export const withoutColours = (line: string): string => (line.includes('\x1b') ? line.replace(colours, '') : line);

// vLLM prefixes each line with the process that wrote it, `(APIServer pid=7) `; SGLang with the time, `[2026-11-30 07:38:00] `.
const access =
  /^(?:\([A-Za-z_]\w* pid=\d+\) |\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[^\]]{0,20}\] )?INFO: +(\[[0-9a-f:]+\]|[0-9a-f.:]+):(\d+) - "([A-Z]+) (\S+) HTTP\/[\d.]+" (\d{3})\b/;

/** Reads a line of uvicorn's access log, without colours; undefined where it is none. */
export function parseAccess(text: string): AccessLine | undefined {
  const seen = access.exec(text);
  if (!seen) return undefined;
  const [, client = '', port, method = '', path = '', status] = seen;
  return { mark: 'access', client, port: Number(port), method, path, status: Number(status) };
}
