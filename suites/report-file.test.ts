import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ReportCheck } from '../reports/report.ts'
import {
  catNames,
  cleanEnvironment,
  command,
  conformant,
  type Deployment,
  type Directory,
  deploy,
  deployDirectory,
  type Ended,
  lacksOneCat,
  packageRoot,
  readReport,
  temporaryFolder,
} from './cli.test.support.ts'
import { rows } from './options-table.ts'
