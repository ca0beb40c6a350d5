export * from 'lit-html'
