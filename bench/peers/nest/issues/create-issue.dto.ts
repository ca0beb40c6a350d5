import { Type } from 'class-transformer'
import { IsDefined, IsInt, IsOptional, IsString, Max, MaxLength, Min, ValidateNested } from 'class-validator'

export class IssueInput {
  @IsString()
  @MaxLength(255)
  subject!: string

  @IsOptional()
  @IsInt()
  @Min(2)
  @Max(4)
  priority = 3
}

export class CreateIssueDto {
  @IsDefined()
  @ValidateNested()
  @Type(() => IssueInput)
  Issue!: IssueInput
}
