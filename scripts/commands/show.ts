import { legend } from '../../reports/legend.ts';
import { draw } from '../../reports/show/draw.ts';
import { key, lanesOf } from '../../reports/show/lanes.ts';
import { tell } from '../../reports/show/list.ts';
import { readBundle } from '../../src/history/bundle.ts';
import { TimeScale } from '../../src/time/scale.ts';
import { explainVerdict } from '../../reports/explain.ts';
import { judge } from '../../src/judge/judge.ts';
import { catalogue } from '../../suites/catalogue.ts';

/** `quiesce show BUNDLE`: the scenario as a picture to scale, its events in order, and its verdicts. */
export function showCommand(folder: string, options: { width?: number }): number {
  const bundle = readBundle(folder);
  const { manifest, events } = bundle;
  const scale = new TimeScale(manifest.timeScale);
  const zero = events.find((e) => e.kind === 'zero')?.data.plannedAt ?? events[0]?.at[0] ?? 0;
  const seconds = (ms: number) => scale.toSeconds(ms);
  console.log(`${manifest.scenario.id}: ${manifest.scenario.title}`);
  console.log(
    `time scale ${manifest.timeScale}, faults: ${manifest.faults.join(', ') || 'none'}, namespace ${manifest.namespace}\n`,
  );
  const width = options.width ?? Math.max(60, (process.stdout.columns ?? 120) - 38);
  console.log(draw(lanesOf(events), zero, width, seconds));
  console.log(`${key}\n`);
  let before = '';
  for (const [i, event] of events.entries()) {
    const text = tell(event);
    if (!text || text === before) continue;
    before = text;
    console.log(
      `${seconds(event.at[1] - zero)
        .toFixed(2)
        .padStart(8)} s  ${event.source.padEnd(7)} ${text}  [line ${i + 1}]`,
    );
  }
  console.log();
  const verdicts = judge(bundle, catalogue);
  for (const verdict of verdicts) console.log(explainVerdict(verdict, folder));
  console.log(legend(verdicts));
  for (const problem of bundle.problems) console.log(`problem: ${problem}`);
  return 0;
}
