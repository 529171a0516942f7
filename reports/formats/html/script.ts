/** The script of the page: filters and copy buttons. Without it, everything is visible. */
export const pageScript = `
(() => {
  'use strict'
  const all = (selector, root = document) => [...root.querySelectorAll(selector)]
  const find = (selector) => document.querySelector(selector)

  const filters = find('#filters'), search = find('#search'), matchCount = find('#shown')
  const items = all('[data-item]').map((element) => ({
    element,
    text: element.textContent.toLowerCase(),
    status: (element.dataset.status || '').split(' '),
    version: (element.dataset.version || '').split(' '),
  }))
  const pressed = (kind) => all('[data-filter=' + kind + '][aria-pressed=true]').map((button) => button.value)

  function apply() {
    const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean)
    const statuses = pressed('status'), versions = pressed('version')
    let shown = 0
    for (const { element, text, status, version } of items) {
      const isShown = words.every((word) => text.includes(word))
        && (statuses.length === 0 || status.some((one) => statuses.includes(one)))
        && (versions.length === 0 || version.some((one) => versions.includes(one)))
      element.hidden = !isShown
      if (isShown) shown++
    }
    for (const group of all('[data-group]')) group.hidden = !group.querySelector('[data-item]:not([hidden])')
    const isFiltered = words.length + statuses.length + versions.length > 0
    matchCount.textContent = isFiltered ? shown + ' of ' + items.length + ' entries match' : ''
    find('#clear').hidden = !isFiltered
  }

  filters.hidden = false
  filters.addEventListener('submit', (event) => event.preventDefault())
  search.addEventListener('input', apply)
  for (const button of all('[data-filter]')) button.addEventListener('click', () => {
    button.setAttribute('aria-pressed', String(button.getAttribute('aria-pressed') !== 'true'))
    apply()
  })
  find('#clear').addEventListener('click', () => {
    search.value = ''
    for (const button of all('[data-filter]')) button.setAttribute('aria-pressed', 'false')
    apply()
    search.focus()
  })
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLInputElement
    if (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault()
      search.focus()
    }
    if (event.key === 'Escape' && isTyping) {
      search.value = ''
      apply()
    }
  })

  for (const button of all('[data-copy]')) {
    button.hidden = false
    button.addEventListener('click', async () => {
      const line = button.parentElement.querySelector('code')
      try {
        // Fails if the page does not come from a file or over HTTPS.
        await navigator.clipboard.writeText(line.textContent)
        button.textContent = 'Copied'
      } catch {
        getSelection().selectAllChildren(line)
        button.textContent = 'Selected'
      }
      setTimeout(() => { button.textContent = 'Copy' }, 1500)
    })
  }

  function openTarget(hash) {
    const target = hash.length > 1 && document.getElementById(hash.slice(1))
    const details = target && target.querySelector('details')
    if (details) details.open = true
  }
  // Handles clicks too, because a second click on the same link does not change the hash.
  for (const link of all('a[href^="#"]')) link.addEventListener('click', () => openTarget(link.hash))
  addEventListener('hashchange', () => openTarget(location.hash))
  openTarget(location.hash)
})()
`
