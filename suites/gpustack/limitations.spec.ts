import { scenarioTests } from '../../fixtures/test.ts';
import { limitations } from './limitations/index.ts';

scenarioTests('Limitations', limitations);
