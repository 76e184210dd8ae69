/** A duration in milliseconds as kubectl shows it: at most two units, such as `5m10s`. */
export function humanDuration(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10) return pair(minutes, 'm', seconds % 60, 's');
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 8) return pair(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return `${hours}h`;
  const days = Math.floor(hours / 24);
  if (hours < 24 * 8) return pair(days, 'd', hours % 24, 'h');
  if (days < 365 * 2) return `${days}d`;
  const years = Math.floor(days / 365);
  return days < 365 * 8 ? pair(years, 'y', days % 365, 'd') : `${years}y`;
}

const pair = (a: number, unit: string, b: number, small: string) =>
  b === 0 ? `${a}${unit}` : `${a}${unit}${b}${small}`;

/** The age of a time, as kubectl shows it. */
export function age(time: unknown, now: number): string {
  if (typeof time !== 'string' || time === '') return '<unknown>';
  const then = Date.parse(time);
  return Number.isNaN(then) ? '<unknown>' : humanDuration(now - then);
}
