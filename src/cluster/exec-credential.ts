import { execFileSync } from 'node:child_process';
import { dirname, resolve } from 'node:path';
import { z } from 'zod';

/** `users[].user.exec` of a kubeconfig: the program that logs in, as the clouds' own tools are. */
const pluginSchema = z.object({
  apiVersion: z.string().default('client.authentication.k8s.io/v1'),
  command: z.string().min(1),
  args: z.array(z.string()).nullish(),
  env: z.array(z.object({ name: z.string(), value: z.string() })).nullish(),
});

const answerSchema = z.object({
  status: z.object({
    token: z.string().optional(),
    clientCertificateData: z.string().optional(),
    clientKeyData: z.string().optional(),
  }),
});

/** What the program answered; a certificate comes with its key. */
export interface ExecCredential {
  token?: string | undefined;
  cert?: Buffer | undefined;
  key?: Buffer | undefined;
}

/** Milliseconds of the wall that the program may take: some ask a server far away. */
const PATIENCE_MS = 60_000;

/**
 * Runs the program of a kubeconfig that logs in, without a terminal. A relative command with a slash is beside the kubeconfig.
 * @throws Error where it cannot be run, fails, or answers something else
 */
export function execCredential(plugin: unknown, kubeconfig: string): ExecCredential {
  const parsed = pluginSchema.safeParse(plugin);
  if (!parsed.success) throw new Error(`"exec" is not usable: ${z.prettifyError(parsed.error)}`);
  const { apiVersion, command, args, env } = parsed.data;
  const info = { apiVersion, kind: 'ExecCredential', spec: { interactive: false } };
  let text: string;
  try {
    text = execFileSync(command.includes('/') ? resolve(dirname(kubeconfig), command) : command, args ?? [], {
      env: {
        ...process.env,
        ...Object.fromEntries((env ?? []).map(({ name, value }) => [name, value])),
        KUBERNETES_EXEC_INFO: JSON.stringify(info),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      encoding: 'utf8',
      timeout: PATIENCE_MS,
    });
  } catch (error) {
    const { code, stderr, message } = error as NodeJS.ErrnoException & { stderr?: string };
    if (code === 'ENOENT') throw new Error(`"${command}" is not installed on this machine`, { cause: error });
    throw new Error(`"${command}" failed: ${stderr?.trim().split('\n').at(-1) || message}`, { cause: error });
  }
  return parseAnswer(command, text);
}

function parseAnswer(command: string, text: string): ExecCredential {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    answer = undefined;
  }
  const status = answerSchema.safeParse(answer).data?.status;
  const pem = (data: string | undefined) => (data === undefined ? undefined : Buffer.from(data));
  const credential = {
    token: status?.token,
    cert: pem(status?.clientCertificateData),
    key: pem(status?.clientKeyData),
  };
  // What it printed may be half a secret, and is not shown.
  if (credential.token || (credential.cert && credential.key)) return credential;
  throw new Error(`"${command}" answered no ExecCredential with a token or a certificate`);
}
