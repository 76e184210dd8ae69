import { InvalidArgumentError } from 'commander';
import { engines, isEngineName, type EngineName } from '../src/engines/command.ts';
import { TimeScale } from '../src/time/scale.ts';

/** Readers of what is typed behind an option; each throws InvalidArgumentError with what it expects. */

export const scale = (text: string): number => {
  try {
    return new TimeScale(text.trim() === '' ? NaN : Number(text)).factor;
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message.replace('NaN', `"${text}"`));
  }
};
export const whole =
  (lowest: number, highest = Number.MAX_SAFE_INTEGER) =>
  (text: string) => {
    const value = text.trim() === '' ? NaN : Number(text);
    if (Number.isInteger(value) && value >= lowest && value <= highest) return value;
    const range = highest === Number.MAX_SAFE_INTEGER ? `${lowest} on` : `${lowest} to ${highest}`;
    throw new InvalidArgumentError(`expected a whole number from ${range}`);
  };
/** Seconds of a text such as `90s`, `10m` or `1h`. */
export const duration = (text: string): number => {
  const [, number, unit] = /^(\d+(?:\.\d+)?)(s|m|h)$/.exec(text.trim()) ?? [];
  const seconds = Number(number) * { s: 1, m: 60, h: 3600 }[(unit ?? 's') as 's' | 'm' | 'h'];
  if (seconds > 0) return seconds;
  throw new InvalidArgumentError('expected a number and s, m or h, such as 90s or 10m');
};

/** `vLLM=IMAGE`, gathered by engine. */
export const engineRelease = (
  text: string,
  all: Partial<Record<EngineName, string>> = {},
): Partial<Record<EngineName, string>> => {
  const [, name = '', release = ''] = /^([^=]*)=(.+)$/.exec(text) ?? [];
  if (isEngineName(name)) return { ...all, [name]: release };
  throw new InvalidArgumentError(`expected ENGINE=IMAGE, with one of ${Object.keys(engines).join(', ')}`);
};
