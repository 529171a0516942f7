import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ReportWriteError, writeReports } from '../../../reports/write.ts'

describe('the writer of reports', () => {
  let place = ''
  beforeAll(async () => {
    place = await mkdtemp(join(tmpdir(), 'reports-'))
  })
  afterAll(() => rm(place, { recursive: true, force: true }))
  const refusal = (writing: Promise<void>): Promise<unknown> => writing.catch((error: unknown) => error)

  it('the writer of reports creates the directory and leaves only complete reports in it', async () => {
    const directory = join(place, 'a', 'b')
    await writeReports(directory, { 'report.json': 'old', 'junit.xml': '<x/>' }, 'nonce')
    await writeReports(directory, { 'report.json': 'new' }, 'nonce')
    expect((await readdir(directory)).sort()).toEqual(['junit.xml', 'report.json'])
    expect(await readFile(join(directory, 'report.json'), 'utf8')).toBe('new')
  })

  it('the writer of reports leaves no incomplete report if the last one cannot be written', async () => {
    const directory = join(place, 'partial')
    const error = await refusal(
      writeReports(directory, { 'report.json': '{}', [`${'x'.repeat(300)}.xml`]: '<x/>' }, 'nonce'),
    )
    expect(error).toMatchObject({ name: 'ReportWriteError', code: 'ENAMETOOLONG', directory })
    expect(await readdir(directory)).toEqual([])
  })

  it('the writer of reports says what, where, why and a remedy if a file is in the way', async () => {
    const file = join(place, 'file')
    await writeFile(file, '')
    for (const [directory, code] of [
      [file, 'EEXIST'],
      [join(file, 'below'), 'ENOTDIR'],
    ] as const) {
      const error = await refusal(writeReports(directory, { 'report.json': '{}' }, 'nonce'))
      expect(error).toBeInstanceOf(ReportWriteError)
      expect(String(error)).toMatch(new RegExp(`Cannot write .+ to ".+": .+ \\(${code}\\)\\. .+--report-dir`))
    }
  })

  it.runIf(process.platform === 'linux')(
    'the writer of reports returns an error if no directory can be created',
    async () => {
      expect(await refusal(writeReports('/proc/reports/latest', {}, 'nonce'))).toMatchObject({ code: 'ENOENT' })
    },
  )

  it.each([
    ['EACCES', 'this user may not write there'],
    ['ENOSPC', 'the disk is full'],
    ['EWHATEVER', 'odd'],
  ])('the writer of reports explains the error code %s', (code, why) => {
    const { message } = new ReportWriteError('out', 'junit.xml', Object.assign(new Error('odd'), { code }))
    expect(message).toContain('Cannot write junit.xml to "out": ')
    expect(message).toMatch(new RegExp(`${why} \\(${code}\\)\\. .+ with --report-dir\\.$`))
  })

  it.skipIf(process.getuid?.() === 0)(
    'the writer of reports says that the permission to write is missing',
    async () => {
      const directory = join(place, 'locked')
      await mkdir(directory)
      await chmod(directory, 0o500)
      expect(await refusal(writeReports(directory, { 'report.json': '{}' }, 'nonce'))).toMatchObject({ code: 'EACCES' })
    },
  )
})
