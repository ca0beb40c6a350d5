/** Certificate and key as PEM, the key as PKCS #8. */
export interface IssuedCertificate {
  certificate: string
  key: string
}

export interface Authority {
  /** The certificate of the authority, as PEM. */
  certificate: string
  /**
   * @param names DNS names and IP addresses of the holder
   * @param period of validity; default: one year from now
   */
  issue(names: readonly string[], period?: { notBefore?: Date; notAfter?: Date }): Promise<IssuedCertificate>
}

export interface CertificateFiles {
  certFile: string
  keyFile: string
  caFile: string
}

export function createAuthority(): Promise<Authority>
export function writeCertificates<const Holders extends Record<string, readonly string[]>>(
  folder: string,
  holders: Holders,
): Promise<Record<keyof Holders & string, CertificateFiles>>
