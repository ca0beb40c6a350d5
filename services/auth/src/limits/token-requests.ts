/** Counts the requests for a token over all copies of the service. */
export interface TokenRequests {
  /**
   * @param networks that the request comes from; see `networksOf` of kit/http
   * @throws AppError `limit` when it asks too often
   */
  count(networks: readonly string[]): Promise<void>
}
