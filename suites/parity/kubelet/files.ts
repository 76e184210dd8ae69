// Volumes and last words.
import { configMap, container, pod, shell } from '../objects.ts';
import { experiment, get, given } from '../steps.ts';
import { ended, once, states, runs, says, init } from './life-parts.ts';

export const files = [
  experiment(
    'kubelet.message-file',
    runs('printf "last words" > dev/termination-log; exit 1'),
    ended('Failed'),
    get('pods/p', ...states),
  ),
  experiment(
    'kubelet.message-log',
    runs('echo from the log; exit 1', {}, { terminationMessagePolicy: 'FallbackToLogsOnError' }),
    ended('Failed'),
    get('pods/p', ...states),
  ),
  experiment(
    'kubelet.message-log-success',
    runs('echo from the log; exit 0', {}, { terminationMessagePolicy: 'FallbackToLogsOnError' }),
    ended('Succeeded'),
    get('pods/p', ...states),
  ),
  experiment(
    'kubelet.volume-empty',
    ...says(
      'echo x > data/a; cat data/a',
      { volumes: [{ name: 'v', emptyDir: {} }] },
      { volumeMounts: [{ name: 'v', mountPath: '/data' }] },
    ),
  ),
  experiment(
    'kubelet.volume-shared',
    given(
      'pods',
      pod('p', container(shell('cat data/a')), {
        ...once,
        initContainers: [init('i', 'echo from init > data/a', { volumeMounts: [{ name: 'v', mountPath: '/data' }] })],
        containers: [container(shell('cat data/a'), { volumeMounts: [{ name: 'v', mountPath: '/data' }] })],
        volumes: [{ name: 'v', emptyDir: {} }],
      }),
    ),
    ended('Succeeded'),
    get('pods/p/log'),
  ),
  experiment(
    'kubelet.volume-config',
    given('configmaps', configMap('c', { a: '1', b: '2' })),
    ...says(
      'cat data/a data/b; ls data; cat other/x',
      {
        volumes: [
          { name: 'v', configMap: { name: 'c' } },
          { name: 'w', configMap: { name: 'c', items: [{ key: 'a', path: 'x' }] } },
        ],
      },
      {
        volumeMounts: [
          { name: 'v', mountPath: '/data' },
          { name: 'w', mountPath: '/other' },
        ],
      },
    ),
  ),
  experiment(
    'kubelet.volume-subpath',
    given('configmaps', configMap('c', { a: 'content' })),
    ...says(
      'cat data/file',
      { volumes: [{ name: 'v', configMap: { name: 'c' } }] },
      { volumeMounts: [{ name: 'v', mountPath: '/data/file', subPath: 'a' }] },
    ),
  ),
  experiment(
    'kubelet.volume-downward',
    given(
      'pods',
      pod(
        'p',
        container(shell('cat data/labels; echo; cat data/name'), { volumeMounts: [{ name: 'v', mountPath: '/data' }] }),
        {
          ...once,
          volumes: [
            {
              name: 'v',
              downwardAPI: {
                items: [
                  { path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } },
                  { path: 'name', fieldRef: { fieldPath: 'metadata.name' } },
                ],
              },
            },
          ],
        },
        { labels: { b: '2', a: '1' } },
      ),
    ),
    ended('Succeeded'),
    get('pods/p/log'),
  ),
  experiment(
    'kubelet.volume-secret-optional',
    ...says(
      'ls data; echo done',
      { volumes: [{ name: 'v', secret: { secretName: 'none', optional: true } }] },
      { volumeMounts: [{ name: 'v', mountPath: '/data' }] },
    ),
  ),
];
