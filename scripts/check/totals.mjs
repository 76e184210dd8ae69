/** Adds totals `{ passed, failed, skipped }`. */
export const sum = (totals) =>
  totals.reduce(
    (all, { passed, failed, skipped = 0 }) => ({
      passed: all.passed + passed,
      failed: all.failed + failed,
      skipped: all.skipped + skipped,
    }),
    { passed: 0, failed: 0, skipped: 0 },
  );

export const line = ({ passed, failed }) => `${passed} passed, ${failed} failed`;

/** Tests that Node's runner skipped, with the reason that each gave. */
export const skippedTests = (output) => [...output.matchAll(/^\s*﹣ (.*)$/gm)].map(([, what]) => what);

/**
 * What one command came to: each unit test counts, any other command counts as one. A command that ended badly without
 * a failed test counts as failed all the same.
 */
export function totalOf({ code, output, tests = false }) {
  const total = tests ? nodeTotals(output) : undefined;
  if (total === undefined) return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
  return { ...total, failed: code === 0 ? total.failed : Math.max(1, total.failed) };
}

/** The closing counts of Node's test runner (its spec reporter); undefined where it did not come to them. */
export function nodeTotals(output) {
  const count = (name) => {
    const found = [...output.matchAll(new RegExp(`^\\S+ ${name} (\\d+)$`, 'gm'))].at(-1);
    return found === undefined ? undefined : Number(found[1]);
  };
  const [passed, failed] = [count('pass'), count('fail')];
  if (passed === undefined || failed === undefined) return undefined;
  return { passed, failed: failed + (count('cancelled') ?? 0), skipped: count('skipped') ?? 0 };
}

/**
 * What a run of scenarios came to: a requirement counts as passed where every verdict on it is a pass, as skipped where
 * none of them decided anything and each says why, and as failed otherwise (inconclusive and harness errors included).
 */
export function verdictTotals(verdicts) {
  const byId = new Map();
  for (const { requirement, outcome } of verdicts) byId.set(requirement, [...(byId.get(requirement) ?? []), outcome]);
  const of = [...byId.values()].map((outcomes) => {
    const decided = outcomes.filter((outcome) => outcome !== 'unsupported' && outcome !== 'skipped');
    if (decided.length === 0) return 'skipped';
    return decided.every((outcome) => outcome === 'pass') ? 'passed' : 'failed';
  });
  const count = (what) => of.filter((one) => one === what).length;
  return { passed: count('passed'), failed: count('failed'), skipped: count('skipped') };
}

/** The last plain closing line (`3 passed, 0 failed`) of an output; undefined where there is none. */
export function closingTotals(output) {
  const found = [...output.matchAll(/^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/gm)].at(-1);
  return found && { passed: Number(found[1]), failed: Number(found[2]), skipped: Number(found[3] ?? 0) };
}

/** What a command came to that tells it by its closing line; one that did not get there came to nothing. */
export const toldTotals = (output, code) => atLeastOne(closingTotals(output) ?? { passed: 0, failed: 0 }, code);

/** What ended badly although nothing in it failed has failed all the same. */
export const atLeastOne = (total, code) => (code === 0 || total.failed > 0 ? total : { ...total, failed: 1 });
