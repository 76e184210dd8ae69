import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { readKubeconfig } from '../../src/cluster/kubeconfig.ts';
import { KubeClient, type KubeObject } from '../../src/cluster/rest.ts';
import { ruleText, type Rule } from '../../src/cluster/rights.ts';
import { kubeconfig } from '../../src/embedded/folder.ts';
import { exitCodes } from '../exit-codes.ts';
import { quiesce, scratch } from '../testing/cli.ts';
import { askRights } from './look.ts';
import { roles, rulesOf } from './rules.ts';

// The embedded API server knows one user who may do everything; rights are enforced by a real one alone.
const file = process.env['QUIESCE_REAL_KUBECONFIG'];
const skip = file ? false : 'QUIESCE_REAL_KUBECONFIG names no administrator of a real cluster';

const name = `quiesce-test-${randomBytes(3).toString('hex')}`;
const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const subject = { kind: 'ServiceAccount', name, namespace: 'default' };
let admin: KubeClient;
let user: KubeClient;

before(async () => {
  if (!file) return;
  admin = new KubeClient(readKubeconfig(file));
  await admin.create('/api/v1/namespaces/default/serviceaccounts', { metadata: { name } });
  for (const role of Object.values(roles)) {
    const metadata = { name: `${name}-${role}` };
    await admin.create(`${RBAC}/clusterroles`, { metadata, rules: rulesOf(role) });
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: metadata.name };
    await admin.create(`${RBAC}/clusterrolebindings`, { metadata, roleRef, subjects: [subject] });
  }
  const { status } = await admin.create<KubeObject & { status: { token: string } }>(
    `/api/v1/namespaces/default/serviceaccounts/${name}/token`,
    { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { audiences: [] } },
  );
  const { server, ca } = admin.connection;
  user = new KubeClient({ server, ca, token: status.token });
});
after(async () => {
  if (!file) return;
  for (const role of Object.values(roles)) {
    await admin.remove(`${RBAC}/clusterrolebindings/${name}-${role}`);
    await admin.remove(`${RBAC}/clusterroles/${name}-${role}`);
  }
  await admin.remove(`/api/v1/namespaces/default/serviceaccounts/${name}`);
  user.close();
  admin.close();
});

/** Sets the rules of a role and asks until the API server heeds them: its authorizer hears of it a moment later. */
async function withRules(role: string, rules: readonly Rule[], expected: number) {
  await admin.patch(`${RBAC}/clusterroles/${name}-${role}`, { rules });
  for (const end = Date.now() + 10_000; ; await new Promise((resolve) => setTimeout(resolve, 50))) {
    const answers = await askRights(user, role, true);
    if (answers.filter((a) => a.is === 'no').length === expected || Date.now() > end) return answers;
  }
}

for (const role of Object.values(roles)) {
  test(
    `a user with ClusterRole ${role} lacks nothing; without any single rule, that rule is named`,
    { skip },
    async () => {
      const rules = rulesOf(role);
      assert.deepEqual(
        (await withRules(role, rules, 0)).map(({ is }) => is),
        ['yes'],
      );
      for (const taken of rules) {
        const answers = await withRules(
          role,
          rules.filter((rule) => rule !== taken),
          1,
        );
        assert.equal(answers.length, 1, JSON.stringify(answers));
        assert.equal(answers[0]?.is, 'no');
        assert.ok(
          answers[0].detail.includes(`the rule "${ruleText(taken)}" of manifests/rbac.yaml`),
          answers[0].detail,
        );
      }
      await withRules(role, rules, 0);
    },
  );
}

/** A kubeconfig of the user. */
function userConfig(folder: string): string {
  const { server, token = '', ca } = user.connection;
  const path = join(folder, 'kubeconfig');
  writeFileSync(path, kubeconfig({ server, token, ...(ca ? { authority: ca.toString() } : {}) }), { mode: 0o600 });
  return path;
}

test(
  'preflight as that user: the canary runs, and a right that is taken is told before anything is deployed',
  { skip },
  async (t) => {
    const path = userConfig(scratch(t));
    const full = await quiesce(['preflight', '--kubeconfig', path]);
    assert.equal(full.code, exitCodes.pass, full.out + full.err);
    assert.match(full.out, /clock:grace-shared\s+│ yes/);
    const rules = rulesOf(roles.run);
    await withRules(
      roles.run,
      rules.filter(({ resources }) => !resources.includes('pods/eviction')),
      1,
    );
    t.after(() => withRules(roles.run, rules, 0));
    const namespaces = (await admin.list('/api/v1/namespaces')).length;
    const less = await quiesce(['preflight', '--kubeconfig', path, '--json']);
    assert.equal(less.code, exitCodes.harnessError);
    assert.match(less.out, /missing: create pods\/eviction/);
    assert.doesNotMatch(less.out, /"canary"/);
    assert.equal((await admin.list('/api/v1/namespaces')).length, namespaces);
  },
);

test('a whole scenario as that user', { skip }, async (t) => {
  const temp = scratch(t);
  const typed = [
    'run',
    'preemption-drains',
    'upgrade',
    'one-gauge',
    '--target',
    'kubernetes',
    '--kubeconfig',
    userConfig(temp),
  ];
  const { code, out, err } = await quiesce([...typed, '--until-decided', '3', '--out', join(temp, 'out')]);
  assert.equal(code, exitCodes.pass, out + err);
});
