export { assertMigrated, type MigrateOptions, migrate } from './migrate.js'
export { migrationConfig, runMigrations } from './run-migrations.js'
