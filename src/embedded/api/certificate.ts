import { generate } from 'selfsigned';

/** A certificate and its private key, in PEM. */
export interface Certificate {
  cert: string;
  key: string;
}

/** Days for which the certificate is valid: longer than any run. */
const DAYS = 365;

/**
 * A new self-signed certificate for a server on loopback, with the names 127.0.0.1 and localhost. It is its own
 * authority: a kubeconfig names it as `certificate-authority-data`.
 */
export async function makeCertificate(): Promise<Certificate> {
  const notBefore = new Date(Date.now() - 60_000);
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'quiesce' }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    notBeforeDate: notBefore,
    notAfterDate: new Date(notBefore.getTime() + DAYS * 86_400_000),
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', digitalSignature: true, keyCertSign: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 7, ip: '127.0.0.1' },
          { type: 2, value: 'localhost' },
        ],
      },
    ],
  });
  return { cert, key };
}
