import { which } from 'zx';
import { builtProgram, examine } from './build.ts';
import { missingPrograms } from './packages.ts';

/** Why this machine, or this user, can never run a cluster; undefined where it may. */
export function whyNever(): string | undefined {
  if (process.platform !== 'linux') return `this machine runs ${process.platform}; expected Linux`;
  if (process.getuid?.() !== 0) return 'this needs root, for namespaces, mounts and cgroups; see also --dry-run';
  return undefined;
}

/** Why `kubernetes-up` would fail here although it installs and builds what it can; undefined where it would not. */
export async function whyNotUp(): Promise<string | undefined> {
  const never = whyNever();
  if (never !== undefined) return never;
  const missing = missingPrograms(true).map(([program]) => program);
  if (missing.length > 0 && !(await which('apt-get', { nothrow: true }))) return `not found: ${missing.join(', ')}`;
  if ((await examine(builtProgram())) === 'good' || (await which('go', { nothrow: true }))) return undefined;
  return 'not found: go, which builds Kubernetes';
}

/** Why a cluster cannot be started at once, without a build or an installation; undefined where it can. */
export async function whyNotNow(kubelet: boolean): Promise<string | undefined> {
  const never = whyNever();
  if (never !== undefined) return never;
  const missing = missingPrograms(kubelet).map(([program]) => program);
  if (missing.length > 0) return `not found: ${missing.join(', ')}`;
  return (await examine(builtProgram())) === 'good'
    ? undefined
    : 'no build in the cache: npx zx scripts/real/kubernetes-up';
}
