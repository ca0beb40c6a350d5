import { randomUUID } from 'node:crypto'
import type { Client, Employee, EmployeeRole, Id, Technical } from '@caseway/kit/caller'
import { randomId } from './ids.js'
import type { TestIssuer } from './issuer.js'

/** A caller and its token. */
export interface Person<Caller> {
  caller: Caller
  userId: Id
  token: string
}

/** An office of one test, with one person of each role. */
export type TestTenant = Record<EmployeeRole, Person<Employee>> & {
  customerId: Id
  /** Adds a colleague. */
  employee(role: EmployeeRole, userId?: Id): Person<Employee>
}

export function testTenant(issuer: TestIssuer, customerId: Id = randomId()): TestTenant {
  const employee = (role: EmployeeRole, userId = randomId()): Person<Employee> => {
    const caller: Employee = { audience: 'expert', role, userId, customerId, sessionId: randomUUID() }
    return { caller, userId, token: issuer.tokenFor(caller) }
  }
  return {
    customerId,
    employee,
    administrator: employee('administrator'),
    expert: employee('expert'),
    specialist: employee('specialist'),
    trainee: employee('trainee'),
  }
}

export function testClient(issuer: TestIssuer, userId: Id = randomId()): Person<Client> {
  const caller: Client = { audience: 'client', role: 'client', userId, customerId: null, sessionId: randomUUID() }
  return { caller, userId, token: issuer.tokenFor(caller) }
}

export function testTechnical(issuer: TestIssuer, userId: Id = randomId()): Person<Technical> {
  const caller: Technical = { audience: 'expert', role: 'technical', userId, customerId: null, sessionId: randomUUID() }
  return { caller, userId, token: issuer.tokenFor(caller) }
}
