import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeApi } from '../../cluster/api.testing.ts';
import { KubeClient } from '../../cluster/rest.ts';
import { createDefinitions } from './install.ts';

test('a definition is waited for until the API server has established it', async (t) => {
  const api = new FakeApi();
  const client = new KubeClient(await api.start());
  t.after(() => api.stop());
  // In the order in which a real API server shows them.
  const seen = [null, [{ type: 'NamesAccepted', status: 'True' }], [{ type: 'Established', status: 'True' }]];
  let reads = 0;
  api.answer = ({ method }, _request, response) => {
    if (method !== 'GET') return false;
    const conditions = seen[Math.min(reads, seen.length - 1)];
    reads += 1;
    response.writeHead(200).end(JSON.stringify({ metadata: { name: 'things.x.dev' }, status: { conditions } }));
    return true;
  };
  await createDefinitions(client, [{ metadata: { name: 'things.x.dev' } }]);
  assert.equal(reads, seen.length);
});
