/** In PEM; the key in PKCS #8. */
export interface IssuedCertificate {
  certificate: string
  key: string
}

export interface Authority {
  /** Of the authority itself, in PEM. */
  certificate: string
  /**
   * @param names DNS names and IP addresses of the holder
   * @param period of validity; by default a year from now on
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
