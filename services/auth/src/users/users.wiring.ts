import { resourceRoutes } from '@caseway/kit/http'
import { PeopleServiceService } from '@caseway/protos/auth/v1/people'
import type { Db } from '../database.js'
import { meRoutes } from './me.routes.js'
import { peopleGrpc } from './people.grpc.js'
import { peopleRepository } from './people.repository.js'
import { peopleService } from './people.service.js'
import { userRepository } from './user.repository.js'
import { userResource } from './user.resource.js'
import { type UserDependencies, userService } from './user.service.js'
import { userSecondFactorRoute } from './user-second-factor.route.js'

/** The employees of the offices. */
export function wireUsers(db: Db, dependencies: UserDependencies) {
  const users = userService(userRepository(db), dependencies)
  return {
    users,
    routes: [meRoutes(users), resourceRoutes(userResource, users), userSecondFactorRoute(users)],
    grpc: [PeopleServiceService, peopleGrpc(peopleService(peopleRepository(db)))] as const,
  }
}
