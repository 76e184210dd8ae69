#!/usr/bin/env node
// The `quiesce` command: builds what has changed, then runs the bundled program.
import { bundle, isBuilt } from './build.mjs';

if (!isBuilt()) await bundle();
await import('../dist/quiesce.mjs');
