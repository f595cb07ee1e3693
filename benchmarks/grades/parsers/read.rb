# What Ruby's own parser reads, without places and comments: one JSON string a line in, one digest out.
require "digest"
require "json"
require "ripper"

def told(node)
  return node unless node.is_a?(Array)
  return node.map { |each| told(each) } unless node.first.is_a?(Symbol)
  node.reject { |each| each.is_a?(Array) && each.size == 2 && each.all?(Integer) }.map { |each| told(each) }
end

$stdout.sync = true
while (line = $stdin.gets)
  tree = Ripper.sexp(JSON.parse(line))
  puts tree ? Digest::SHA1.hexdigest(told(tree).inspect) : "-"
end
