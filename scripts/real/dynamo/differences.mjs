/** Outcomes by `SCENARIO REQUIREMENT PART`, the part left out where there is none. */
const outcomesOf = (results) =>
  new Map(
    results.flatMap(({ verdicts }) =>
      verdicts.map(({ scenario, requirement, part, outcome }) => [
        [scenario, requirement, part].filter(Boolean).join(' '),
        outcome,
      ]),
    ),
  );

/**
 * Compares the results of a run with what is expected: how many verdicts are the same, which are not, and which the run says it
 * could not try. An inconclusive verdict is not the expected one; one that nobody expects is a difference too.
 */
export function differences(expected, results) {
  const wanted = new Map(
    Object.entries(expected.verdicts).flatMap(([scenario, verdicts]) =>
      Object.entries(verdicts).map(([requirement, outcome]) => [`${scenario} ${requirement}`, outcome]),
    ),
  );
  const seen = outcomesOf(results);
  const names = [...new Set([...wanted.keys(), ...seen.keys()])].sort();
  const notRun = names.filter((name) => seen.get(name) === 'unsupported' && !wanted.has(name));
  const judged = names.filter((name) => !notRun.includes(name));
  const different = judged.filter((name) => wanted.get(name) !== seen.get(name));
  return {
    same: judged.length - different.length,
    different: different.map(
      (name) => `${name}: ${seen.get(name) ?? 'no verdict'}, expected ${wanted.get(name) ?? 'no verdict'}`,
    ),
    notRun: notRun.map((name) => `${name}: unsupported`),
  };
}
