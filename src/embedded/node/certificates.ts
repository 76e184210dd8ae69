import { generate } from 'selfsigned';
import type { Certificate } from '../api/certificate.ts';

/** Days for which a certificate of a node is valid: longer than any run. */
const DAYS = 30;

/** Group of all kubelets: the API server gives each the rights on its own Node and the Pods bound to it. */
const NODES_GROUP = 'system:nodes';

/** A certificate by which a kubelet calls the API server as the Node `name`. @throws Error where the authority's key is none */
export const nodeCertificate = (name: string, authority: Certificate): Promise<Certificate> =>
  issue({ O: NODES_GROUP, CN: `system:node:${name}` }, { clientAuth: true }, [], authority);

/** A certificate by which a kubelet proves to the API server that it is at `address`. */
export const servingCertificate = (address: string, authority: Certificate): Promise<Certificate> =>
  issue({ O: NODES_GROUP, CN: `system:node:${address}` }, { serverAuth: true }, [address], authority);

async function issue(
  subject: { O: string; CN: string },
  use: { clientAuth?: boolean; serverAuth?: boolean },
  addresses: readonly string[],
  ca: Certificate,
): Promise<Certificate> {
  const notBefore = new Date(Date.now() - 60_000);
  const { cert, private: key } = await generate(
    [
      { name: 'organizationName', value: subject.O },
      { name: 'commonName', value: subject.CN },
    ],
    {
      keyType: 'ec',
      curve: 'P-256',
      algorithm: 'sha256',
      notBeforeDate: notBefore,
      notAfterDate: new Date(notBefore.getTime() + DAYS * 86_400_000),
      extensions: [
        { name: 'keyUsage', digitalSignature: true, critical: true },
        { name: 'extKeyUsage', ...use },
        ...(addresses.length > 0
          ? [{ name: 'subjectAltName' as const, altNames: addresses.map((ip) => ({ type: 7 as const, ip })) }]
          : []),
      ],
      ca,
    },
  );
  return { cert, key };
}
