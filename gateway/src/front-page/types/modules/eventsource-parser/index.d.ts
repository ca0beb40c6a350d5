export * from 'eventsource-parser'
