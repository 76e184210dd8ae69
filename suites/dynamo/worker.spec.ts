import { scenarioTests } from '../../fixtures/test.ts';
import { dynamoOpen, dynamoWorker } from './worker/index.ts';

scenarioTests('Dynamo worker', [...dynamoWorker, ...dynamoOpen]);
