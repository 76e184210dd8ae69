import type { KubeObject } from '../cluster/rest.ts';
import { mainStatusOf } from './main-container.ts';

/** Characters of a line that are told. */
const LONGEST = 300;

/** What a life of a container has said last: outside of its log, and as a complaint in it. */
interface Said {
  plain?: string;
  complaint?: string;
}

/** What each Pod's container `main` said last before it ended: where it starts again and again, the reason as a rule. */
export class LastWords {
  /** By UID of the Pod. */
  readonly #newest = new Map<string, Said>();
  readonly #ended = new Map<string, { restarts: number; said: Said }>();

  heard(uid: string, line: string): void {
    const said = this.#newest.get(uid) ?? {};
    this.#newest.set(uid, { ...said, ...partOf(line) });
  }

  /** Once it runs again, all lines of its former life have come. */
  seen(pod: KubeObject): void {
    const { uid = '' } = pod.metadata;
    const restarts = mainStatusOf(pod)?.restartCount ?? 0;
    const said = this.#newest.get(uid);
    if (said === undefined || restarts <= (this.#ended.get(uid)?.restarts ?? 0)) return;
    this.#ended.set(uid, { restarts, said });
    this.#newest.delete(uid);
  }

  /** Of a Pod whose `main` has started again, or ended: what an interpreter says of an error stands outside of its log. */
  atEnd(pod: KubeObject): string | undefined {
    const { uid = '' } = pod.metadata;
    const said =
      this.#ended.get(uid)?.said ?? (mainStatusOf(pod)?.state?.['terminated'] ? this.#newest.get(uid) : undefined);
    return said?.plain ?? said?.complaint;
  }

  /** The newest complaint in the log of a Pod that runs. */
  complaint = ({ metadata: { uid = '' } }: KubeObject): string | undefined => this.#newest.get(uid)?.complaint;
}

/** Levels of a line that complains of nothing. */
const QUIET = ['INFO', 'DEBUG', 'TRACE'];

/** A line as it is told. One that begins with a space goes on with the one before it, as in a stack. */
function partOf(line: string): Said {
  if (line.trim() === '' || line.startsWith(' ')) return {};
  const plain = { plain: line.trim().slice(0, LONGEST) };
  if (!line.startsWith('{')) return plain;
  try {
    const { level, message, error } = JSON.parse(line) as Record<string, unknown>;
    if (typeof message !== 'string') return plain;
    if (typeof level === 'string' && QUIET.includes(level)) return {};
    return { complaint: [message, error].filter(Boolean).join(': ').slice(0, LONGEST) };
  } catch {
    return plain;
  }
}
