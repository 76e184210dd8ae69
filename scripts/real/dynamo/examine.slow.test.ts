import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { scratch } from '../../testing/cli.ts';
import { chooseReal } from '../../target/real.ts';
import { whatIsWrong } from './examine.ts';
import { writeModel } from './model.ts';
import { dynamoPlaces, requirementsFile, type DynamoPlaces } from './places.ts';
import { findPython, PYTHON } from './python.ts';

const base = await findPython();
const skip = 'seen' in base ? `no Python ${PYTHON} on this machine: ${base.seen}` : false;

/** Name and version of each wheel. */
const wheels = readFileSync(requirementsFile, 'utf8')
  .split('\n')
  .flatMap((line) =>
    [...line.matchAll(/^([\w.-]+)==([^ ]+) /g)].map(([, name = '', version = '']) => ({ name, version })),
  );

const infoOf = ({ venv }: DynamoPlaces, { name, version }: (typeof wheels)[number]) =>
  join(venv, 'lib', `python${PYTHON}`, 'site-packages', `${name.replaceAll('-', '_')}-${version}.dist-info`);

/** A set-up that is whole by all that an interpreter says of it: the wheels have their names and no contents. */
function setUp(t: TestContext): DynamoPlaces {
  const places = dynamoPlaces({ QUIESCE_CACHE: scratch(t) });
  execFileSync('path' in base ? base.path : '', ['-m', 'venv', '--without-pip', places.venv]);
  for (const wheel of wheels) {
    mkdirSync(infoOf(places, wheel));
    writeFileSync(join(infoOf(places, wheel), 'METADATA'), `Name: ${wheel.name}\nVersion: ${wheel.version}\n`);
  }
  writeFileSync(places.ready, '{}');
  writeModel(places.model);
  return places;
}

const uvloop = wheels.find(({ name }) => name === 'uvloop')!;
const runtime = wheels.find(({ name }) => name === 'ai-dynamo-runtime')!;

/** What is done to a whole set-up, and the words by which it is told. */
const broken: [what: string, damage: (places: DynamoPlaces) => void, told: RegExp][] = [
  ['nothing was ever set up', ({ folder }) => rmSync(folder, { recursive: true }), /dynamo-1\.6\.1-\w+ is not there$/],
  ['a half-made folder', ({ ready }) => rmSync(ready), /is half a set-up: .*ready\.json is missing$/],
  [
    'an interpreter that was removed',
    ({ python }) => {
      rmSync(python);
      symlinkSync('/nowhere/python3.10', python);
    },
    /venv\/bin\/python does not run: .*ENOENT/,
  ],
  [
    'an interpreter of another kind',
    ({ python }) => {
      rmSync(python);
      symlinkSync('/bin/false', python);
    },
    /venv\/bin\/python does not run: it ends with 1$/,
  ],
  ['a wheel that was removed', (places) => rmSync(infoOf(places, uvloop), { recursive: true }), /: uvloop is missing$/],
  [
    'wheels of another version',
    (places) => {
      writeFileSync(join(infoOf(places, runtime), 'METADATA'), `Name: ${runtime.name}\nVersion: 1.6.0\n`);
      rmSync(infoOf(places, uvloop), { recursive: true });
    },
    /: ai-dynamo-runtime is 1\.6\.0 and not 1\.6\.1, and 1 more$/,
  ],
  ['no model', ({ model }) => renameSync(model, `${model}.part`), /model-\w+ is not there$/],
  ['a model without its configuration', ({ model }) => rmSync(join(model, 'config.json')), /config\.json is missing$/],
  [
    'a configuration that is no JSON',
    ({ model }) => writeFileSync(join(model, 'config.json'), '{'),
    /config\.json is not as it was written$/,
  ],
  [
    'a model without its tokenizer',
    ({ model }) => rmSync(join(model, 'tokenizer.json')),
    /tokenizer\.json is missing$/,
  ],
];

test('a set-up that is whole is taken as it is', { skip }, async (t) => {
  assert.equal(await whatIsWrong(setUp(t)), undefined);
});

for (const [what, damage, told] of broken) {
  test(`${what}: real Dynamo is missing, and a run is told what, and what to type`, { skip }, async (t) => {
    const places = setUp(t);
    damage(places);
    assert.match((await whatIsWrong(places)) ?? 'nothing', told);
    const former = process.env['QUIESCE_CACHE'];
    t.after(() =>
      former === undefined ? delete process.env['QUIESCE_CACHE'] : (process.env['QUIESCE_CACHE'] = former),
    );
    process.env['QUIESCE_CACHE'] = join(places.folder, '..');
    const { missing } = await chooseReal('dynamo', { target: 'embedded', fault: [] });
    assert.match(
      missing ?? '',
      /^real Dynamo 1\.6\.1 is not set up on this machine \(.*\): npm run real:setup -- dynamo$/,
    );
  });
}
