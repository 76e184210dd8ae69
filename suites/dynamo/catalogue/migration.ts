import { said, tables, rows } from './page.ts';

/** Streams that outlive their worker. */
export const migration = rows('Migration Integration', [
  {
    id: 'DY-MG-01',
    level: 'MUST',
    statement:
      'With migration enabled at the frontend, a stream broken by a failed worker goes on, on a healthy one, as one stream to the client.',
    source: said(86, 'a766fda81f999c663b5735ddbe36c9be3c080f370248a0559080004ba49a3011'),
    needs: ['dynamo:frontend', 'dynamo:worker'],
    open: 'workers that fail in another way than a kill',
  },
  {
    id: 'DY-MG-02',
    level: 'DERIVED',
    statement:
      'With migration off a broken stream does not go on, and the client gets an error, never a silent truncation. (Not in the document: a companion page gives the default, the rest is our rule.)',
    source: said(84, '4b27906593e487fead7d214f3a77d97c61717b9bdfa4d442629daf7f1df45572', tables.companion),
    needs: ['dynamo:frontend', 'dynamo:worker'],
  },
  {
    id: 'DY-MG-03',
    level: 'MUST',
    statement: 'Workers need no setting for migration: their command and environment are the same with and without it.',
    source: said(87, '9b452337dceb71d32f8e89744222c72b6cebf82d131d886ee76b4964f00fa15f'),
    needs: ['dynamo:frontend', 'dynamo:worker'],
  },
  {
    id: 'DY-MG-04',
    level: 'MUST',
    statement: 'Backend workers, every one, wait for requests in flight until the engine is stopped.',
    source: said(84, '46fad5ee78a43414b1c9e989ce78e5355442b25d205e761e2576eda5ef705197'),
    needs: ['dynamo:worker'],
    open: 'backends other than vLLM',
  },
  {
    id: 'DY-MG-05',
    level: 'MUST',
    statement: 'A worker that cannot finish a stream ends it as incomplete, never as a complete answer.',
    source: said(87, '9b452337dceb71d32f8e89744222c72b6cebf82d131d886ee76b4964f00fa15f'),
    needs: ['dynamo:worker'],
  },
]);
