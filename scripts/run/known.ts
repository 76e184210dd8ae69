import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import type { KnownDifference } from '../../reports/known.ts';
import type { RealPart } from '../target/real.ts';
import { projectRoot } from './perform.ts';

const text = z.string().trim().min(1);

const differencesSchema = z.array(
  z.strictObject({
    requirement: text,
    part: text.optional(),
    version: text,
    document: text,
    program: text,
    evidence: text,
    issue: z.url().optional(),
    expires: z.iso.date(),
  }),
);

const read = (part: RealPart, name: string): unknown =>
  parse(readFileSync(join(projectRoot, 'suites', part, name), 'utf8'));

/** What releases of a part are known to do otherwise than its document. @throws ZodError where the file says something else */
export const knownDifferences = (part: RealPart): KnownDifference[] =>
  differencesSchema.parse(read(part, 'known-differences.yaml'));
