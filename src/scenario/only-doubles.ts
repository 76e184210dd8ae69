import type { GpustackDeploy, RoleSpec, Scenario } from './scenario.ts';

/** Steps that no operator but ours, and no engine but our doubles, can be asked for, with the reason. */
const steps: Partial<Record<Scenario['act'][number]['do'], string>> = {
  'control-engine': 'it tells an engine how to behave',
  'kill-engine': "it kills what a double's engine runs in",
  'upgrade-operator': 'it upgrades the operator, which is not ours',
  'restart-operator': 'it restarts the operator, which is not ours',
  'kill-operator': 'it kills the operator, which is not ours',
};

/** Why a scenario cannot be tried with real engines behind the operator of the cluster; empty where it can. */
export function onlyOnDoubles(scenario: Scenario): string[] {
  const { deploy, act, load } = scenario;
  const ofLoad = (load?.placed ?? []).flatMap(({ name, waitsForKv, session, tls }) =>
    waitsForKv || session || tls ? [`its request ${name} needs an engine that is told how to serve it`] : [],
  );
  const ofSteps = act.flatMap((step) => steps[step.do] ?? []);
  return [...new Set([...(deploy.kind === 'gpustack' ? ofDeployments(deploy) : []), ...ofLoad, ...ofSteps])];
}

function ofDeployments({ operator, deployments }: GpustackDeploy): string[] {
  const ofRoles = deployments.flatMap(({ name, roles }) =>
    roles.flatMap((role) => {
      const why = ofRole(role);
      return why === undefined ? [] : [`role ${role.name} of ${name} ${why}`];
    }),
  );
  return [...(operator === undefined ? [] : [`it begins with operator ${operator}`]), ...ofRoles];
}

function ofRole({ engine: behaviour = {}, command, image, extraArgs = [] }: RoleSpec): string | undefined {
  if (command) return 'starts its engine by a command of its own';
  if (image !== undefined) return `runs ${image}`;
  if (extraArgs.some((argument) => argument.startsWith('--ssl-'))) return 'needs a certificate';
  // Which of the ways to end its streams a real engine takes is not ours to choose; the most frequent is the one to expect.
  const { abort = 'flush', ...told } = behaviour;
  const words = [...(abort === 'flush' ? [] : [`abort: ${abort}`]), ...Object.keys(told)];
  return words.length > 0 ? `has an engine that behaves as told (${words.join(', ')})` : undefined;
}
