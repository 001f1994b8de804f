export const SHELLS = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof SHELLS)[number];

/**
 * Each script asks `wf complete` for lines of `WORD<tab>DESCRIPTION`. `:file` and `:folder` leave it to the shell.
 * The program is asked that stands on the command line, so that `./wf` completes itself.
 */
export const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `# wf completion for bash. Put it into ~/.bashrc: eval "$(wf completion bash)"
_wf() {
  local current=\${COMP_WORDS[COMP_CWORD]} word quoted
  COMPREPLY=()
  while IFS=$'\\t' read -r word _; do
    case $word in
      :file) compopt -o filenames; mapfile -t -O "\${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$current") ;;
      :folder) compopt -o filenames; mapfile -t -O "\${#COMPREPLY[@]}" COMPREPLY < <(compgen -d -- "$current") ;;
      *) printf -v quoted %q "$word"; COMPREPLY+=("$quoted") ;;
    esac
  done < <("\${COMP_WORDS[0]}" complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _wf wf
`,
  zsh: `#compdef wf
# wf completion for zsh. Put it into ~/.zshrc after compinit: eval "$(wf completion zsh)"
_wf() {
  local line
  local -a candidates
  for line in "\${(@f)$("\${words[1]}" complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    case $line in
      '') ;;
      :file) _files ;;
      :folder) _files -/ ;;
      *$'\\t'*) candidates+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}") ;;
      *) candidates+=("\${line//:/\\\\:}") ;;
    esac
  done
  (( \${#candidates} )) && _describe wf candidates
}
compdef _wf wf
`,
  fish: `# wf completion for fish. Put it into ~/.config/fish/completions/wf.fish: wf completion fish > …
function __wf_complete
  set -l current (commandline -ct)
  set -l before (commandline -opc)
  for line in ($before[1] complete -- $before[2..-1] "$current" 2>/dev/null)
    switch $line
      case ':file'
        __fish_complete_path "$current"
      case ':folder'
        __fish_complete_directories "$current"
      case '*'
        echo $line
    end
  end
end
complete -c wf -f -a '(__wf_complete)'
`,
};
