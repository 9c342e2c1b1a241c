# Uploads and lists with methods that OpenAPI::Client makes of openapi.json.
use strict;
use warnings;
use Cwd 'abs_path';
use Mojo::URL;
use OpenAPI::Client;

my $client = OpenAPI::Client->new('file://' . abs_path('openapi.json'));
$client->base_url(Mojo::URL->new($ENV{HOLDALL_URL}));
$client->ua->on(start => sub {
  my ($ua, $tx) = @_;
  $tx->req->headers->header('API-Key' => $ENV{HOLDALL_KEY});
});

my $stored = $client->putContent({key => 'perl/notes.txt'}, body => 'notes');
die $stored->res->body unless $stored->res->code == 201;
my $missing = $client->listFiles({id => 'none'});
die $missing->res->body unless $missing->res->json('/error/code') eq 'not_found';
# The client checks parameters itself.
my $wrong = $client->listFiles({orderDirection => 'sideways'});
die $wrong->res->body unless $wrong->res->code == 400;
my $listed = $client->listFiles({name => 'notes.txt'});
print join(' ', map { $_->{key} } @{$listed->res->json('/data/files')}), "\n";
