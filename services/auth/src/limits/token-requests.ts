/** Counts the requests for a token over all copies of the service. */
export interface TokenRequests {
  /**
   * @param address as the gateway saw it
   * @throws AppError `limit` when it asks too often
   */
  count(address: string): Promise<void>
}
