import { scenarioTests } from '../../fixtures/test.ts';
import { dynamoKubernetes } from './kubernetes/index.ts';

scenarioTests('Dynamo kubernetes', dynamoKubernetes);
