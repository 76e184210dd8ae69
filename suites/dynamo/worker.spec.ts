import { scenarioTests } from '../../fixtures/test.ts';
import { dynamoWorker } from './worker/index.ts';

scenarioTests('Dynamo worker', dynamoWorker);
