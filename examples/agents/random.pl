#!/usr/bin/perl
# An agent in another language: a random legal move. Perl and its JSON::PP are on every Debian machine.
use strict;
use warnings;
use JSON::PP;

$| = 1;    # answers are not to wait in a buffer
while ( my $line = <STDIN> ) {
    my $told = decode_json($line);
    if ( $told->{type} eq 'hello' ) {
        print encode_json( { type => 'ready', harena => 1, name => 'random.pl' } ), "\n";
    }
    elsif ( $told->{type} eq 'go' ) {
        srand( $told->{seed} );
        my @legal = @{ $told->{legal} };
        print encode_json( { type => 'move', id => $told->{id}, move => $legal[ rand @legal ] } ), "\n";
    }
    elsif ( $told->{type} eq 'quit' ) {
        last;
    }
}
