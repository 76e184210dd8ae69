import { scenarioTests } from '../../fixtures/test.ts';
import { drainWindow } from './drain-window/index.ts';

scenarioTests('Drain window', drainWindow);
