export type Isolation = 'ReadCommitted' | 'RepeatableRead' | 'Serializable'
