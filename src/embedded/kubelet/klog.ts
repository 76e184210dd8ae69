import { now } from '../../time/clock.ts';
import { stampAt } from './stamps.ts';

/** Lines kept a node; the oldest go first. */
const KEPT = 20_000;

type Values = Record<string, string | number | boolean | undefined>;

/** The kubelet's own log, one a node, in klog's form with microseconds (UTC). */
export class KubeletLog {
  readonly #lines = new Map<string, string[]>();

  info(node: string, message: string, values: Values = {}): void {
    this.#write('I', node, message, values);
  }

  error(node: string, message: string, values: Values = {}): void {
    this.#write('E', node, message, values);
  }

  /** All lines of a node so far; undefined where nothing was ever logged for it. */
  lines(node: string): readonly string[] | undefined {
    return this.#lines.get(node);
  }

  #write(severity: 'I' | 'E', node: string, message: string, values: Values): void {
    const [, month = '', day = '', time = ''] = /^\d+-(\d+)-(\d+)T([\d:.]+)Z$/.exec(stampAt(now(), 6)) ?? [];
    const rest = Object.entries(values)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => ` ${key}=${JSON.stringify(value)}`);
    const lines = this.#lines.get(node) ?? [];
    this.#lines.set(node, lines);
    lines.push(`${severity}${month}${day} ${time} kubelet] ${JSON.stringify(message)}${rest.join('')}`);
    if (lines.length > KEPT + 1000) lines.splice(0, lines.length - KEPT);
  }
}
