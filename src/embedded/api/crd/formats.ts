import { isIP, isIPv4, isIPv6 } from 'node:net';

const dateTime = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;
const duration = /^[+-]?(\d+(\.\d*)?|\.\d+)(ns|us|µs|ms|s|m|h)((\d+(\.\d*)?|\.\d+)(ns|us|µs|ms|s|m|h))*$|^0$/;

/** Formats that CRD schemas check; any other one is only a hint. */
const formats: Record<string, (value: string) => boolean> = {
  date: (value) => /^\d{4}-\d\d-\d\d$/.test(value),
  'date-time': (value) => dateTime.test(value) && !Number.isNaN(Date.parse(value)),
  duration: (value) => duration.test(value),
  ipv4: isIPv4,
  ipv6: isIPv6,
  ip: (value) => isIP(value) !== 0,
  cidr: (value) => /^[0-9a-fA-F:.]+\/\d{1,3}$/.test(value) && isIP(value.split('/')[0] ?? '') !== 0,
  uuid: (value) => /^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$/i.test(value),
  byte: (value) => /^[A-Za-z0-9+/]*={0,2}$/.test(value),
  uri: (value) => URL.canParse(value),
};

export function formatHolds(format: string, value: string): boolean {
  const check = Object.hasOwn(formats, format) ? formats[format] : undefined;
  return check ? check(value) : true;
}
